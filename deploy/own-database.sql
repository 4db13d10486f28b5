-- Only roles with a grant may connect, and only the owner may create tables. docs/scaling.md says why.
REVOKE CONNECT ON DATABASE rollcall FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
