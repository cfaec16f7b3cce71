"""JSON Schema: followed, repaired, checked, and made from signatures. It knows no tools."""

from workbench.schema.refs import resolve
from workbench.schema.repair import repair
from workbench.schema.signature import CallableSpec, describe
from workbench.schema.validate import SchemaValidator, validator

__all__ = ["CallableSpec", "SchemaValidator", "describe", "repair", "resolve", "validator"]
