-- Parts of post_movements that have other parameters now. No server calls them.
DROP FUNCTION IF EXISTS post_row(posting_row, boolean, boolean);
DROP FUNCTION IF EXISTS original_refusal(posting_row, movements, timestamptz, record);
DROP FUNCTION IF EXISTS reach_refusal(posting_row, movements, uuid, uuid, record);
DROP FUNCTION IF EXISTS refund_change(movements, bigint, timestamptz);
DROP FUNCTION IF EXISTS reversal_change(movements, int, timestamptz);
DROP FUNCTION IF EXISTS draw_pockets(uuid, int, int, "SpendOrder");
