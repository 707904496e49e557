-- Parts of post_movements that have other parameters now. No server calls them.
DROP FUNCTION IF EXISTS post_row(posting_row, boolean, boolean);
DROP FUNCTION IF EXISTS original_refusal(posting_row, movements, timestamptz, record);
DROP FUNCTION IF EXISTS reach_refusal(posting_row, movements, uuid, uuid, record);
DROP FUNCTION IF EXISTS refund_change(movements, bigint, timestamptz);
DROP FUNCTION IF EXISTS reversal_change(movements, int, timestamptz);
DROP FUNCTION IF EXISTS draw_pockets(uuid, int, int, "SpendOrder");
-- What the ledger's rules ask about a row: see read_posting_facts.
CREATE TYPE posting_facts AS (
  posting posting_row,
  card customers,
  original movements,
  is_held boolean,
  is_known boolean,
  own_card boolean,
  at_branch uuid,
  merchant_status "MerchantStatus",
  suspended_at timestamp with time zone,
  redeem_allowance integer,
  spend_order "SpendOrder",
  refund_days integer,
  unproved_worker_daily integer,
  till_required boolean,
  worker_daily_cap integer,
  dirhams_per_point integer,
  rate integer,
  min_top_up integer,
  max_top_up integer,
  max_balance integer,
  undo_minutes integer,
  branch_name text,
  branch_merchant uuid,
  archived_at timestamp with time zone,
  actor_role "Role",
  actor_name text,
  till_merchant uuid,
  till_retired_at timestamp with time zone,
  till_period integer,
  till_name text
);
-- A row that was decided: the answer of one that is not posted, or all that write_postings writes, with the card as it is
-- afterwards.
CREATE TYPE posting_step AS (
  answer posting_outcome,
  id uuid,
  posting posting_row,
  facts posting_facts,
  card customers,
  change pocket_change,
  moment timestamp with time zone,
  salt bytea
);
