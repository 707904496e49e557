/*
  The only writer of movements, pockets and balances. Locks the customers of the rows, decides, inserts the movements, and
  answers one outcome for each row. `quiet`: no receipt and no pass update. `skip`: answer busy for a customer whom
  another transaction has locked; else wait. A row whose key an API key is posting under now is answered in_progress. A row (the type posting_row):
    idx int                 comes back in the outcome
    type                    TOP_UP, REDEEM, REVERSAL, REFUND, BONUS, IMPORT, ADJUSTMENT
    customer, branch        the customer's private or public id, the branch (a reversal or refund takes both from its
                            original); a card holder has no branch, the system may have none
    actor_type              'user' (when absent), 'api_key', 'card_holder' or 'system'
    actor, api_key          the user, or the key; neither for a card holder and the system
    key, hash               the idempotency key; the request's hash
    scope, scope_merchant   'any', 'merchant' or 'own' (a reversal of the actor's own movement), and of which merchant
    named_merchant          the merchant that the request names, or null
    points                  unsigned, except for an ADJUSTMENT; null for a REFUND: all that is left
    reverses, refunds       the movement to reverse, or the REDEEM to refund
    reason                  why; kept beside the movement
    tender, sale_ref        of a TOP_UP (cash when absent); the shop's bill number
    ends_at                 of a BONUS: when it ends, or null
    proof, proof_ref        'none', 'live_code', 'mailed_code' or 'invalid'; what may be spent once a customer
    at                      when, or null: the database's clock once the customer is locked
    occurred                the counter's clock, or null: when it was posted
    till                    the till that the request was made at, or null
    resolver                the user who posts from the inbox of a till's kept top-ups, beside the actor, or null
    hold_call, hold         of a REDEEM: 'open' a hold (for `seconds`; `up_to`: of what is available), or 'capture' (`final`: what
                            is left is free; no points: all that is left), 'void', 'undo', 'release' or 'extend' that hold
    late                    whether the owner posts what came late, which a till retired since does not stop
*/
CREATE OR REPLACE FUNCTION post_movements(rows jsonb, quiet boolean, skip boolean) RETURNS SETOF posting_outcome
LANGUAGE plpgsql
-- A plan made while the tables were small must stay right as they grow: always by index, and made once.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET wallet.posting = 'post'
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  given posting_row[] := ARRAY(SELECT i FROM jsonb_populate_recordset(NULL::posting_row, rows) i);
  running int[] := '{}';
  held uuid[];
  clock timestamptz;
  g posting_facts;
  r posting_row;
  card customers;
  step posting_step;
  steps posting_step[] := '{}';
  keys text[] := '{}';
  is_next boolean;
  busy posting_outcome;
BEGIN
  -- Before any lock that waits.
  busy.outcome := 'in_progress';
  FOREACH r IN ARRAY given LOOP
    IF r.api_key IS NOT NULL AND NOT pg_try_advisory_xact_lock(api_key_lock(r.api_key, r.key)) THEN
      busy.idx := r.idx;
      running := array_append(running, r.idx);
      RETURN NEXT busy;
    END IF;
  END LOOP;
  IF running <> '{}' THEN given := ARRAY(SELECT i FROM unnest(given) i WHERE i.idx <> ALL (running)); END IF;
  held := lock_postings(given, skip);
  clock := clock_timestamp();
  busy.outcome := 'busy';
  FOR g IN SELECT * FROM read_posting_facts(given, held) f ORDER BY (f.card).id NULLS LAST, (f.posting).idx LOOP
    r := g.posting;
    -- The next row of the same card finds it as the row before left it.
    is_next := card.id = (g.card).id;
    IF is_next IS NOT TRUE THEN card := g.card; END IF;
    IF card.id IS NOT NULL AND g.is_held IS NOT TRUE THEN
      busy.idx := r.idx;
      RETURN NEXT busy;
      CONTINUE;
    END IF;
    g.is_known := g.is_known OR r.key = ANY (keys);
    keys := array_append(keys, r.key);
    -- Only a key, or an earlier row of the same card, can matter to what this row looks for in the tables.
    IF g.is_known OR (is_next AND (card.bonus > 0 OR card.held > 0 OR r.hold_call IS NOT NULL OR r.actor IS NULL OR r.type IN ('REVERSAL', 'REFUND'))) THEN
      RETURN QUERY SELECT * FROM write_postings(steps, quiet);
      steps := '{}';
    END IF;
    step := post_row(card, g, clock, quiet);
    card := step.card;
    IF step.id IS NULL THEN RETURN NEXT step.answer;
    ELSE steps := array_append(steps, step);
    END IF;
  END LOOP;
  RETURN QUERY SELECT * FROM write_postings(steps, quiet);
END $$;
