"""The maker's recipe of the bundled model `tiny`; nothing here is needed to use it."""
