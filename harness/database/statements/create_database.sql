-- $1 name. Returns the statement: CREATE DATABASE takes no parameters and runs in no transaction.
select format('create database %I template template0', $1::text)
