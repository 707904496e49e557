-- The W3C trace of what caused an e-mail, so that sending it continues that trace. Null where traces are not recorded.
alter table emails add column traceparent text;

-- The same of a posting. The batch that posts sets wallet.traceparent for its transaction.
alter table posting_outbox add column traceparent text default current_setting('wallet.traceparent', true);
