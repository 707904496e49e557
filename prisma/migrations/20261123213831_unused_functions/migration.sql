-- Neither a function nor a server of a60e4c2c calls these.
DROP FUNCTION IF EXISTS lock_worker(uuid);
DROP FUNCTION IF EXISTS worker_topped_up(uuid, timestamptz);
DROP FUNCTION IF EXISTS points_rate_at(uuid, timestamptz);
