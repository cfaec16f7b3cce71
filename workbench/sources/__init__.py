"""Tools from elsewhere: each module turns something foreign into tools, and knows no other."""
