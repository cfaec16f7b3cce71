"""Start the demo server on the standard streams."""

from workbench.demo.server import server

if __name__ == "__main__":
    server.run("stdio")
