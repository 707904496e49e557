-- The W3C trace of what caused an e-mail, so that sending it continues that trace. Null where traces are not recorded.
alter table emails add column traceparent text;
