-- A higher limit of what a worker redeems without proof waits as an allowance does. By itself: a new value of an enum
-- cannot be used in the transaction that adds it.
ALTER TYPE "PendingKind" ADD VALUE IF NOT EXISTS 'unproved';
