//! Tests over the whole house.
