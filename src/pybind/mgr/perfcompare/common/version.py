"""The version of this module, stored with each run."""

VERSION = '0.1.0'
