-- The inbox of an owner, and its number in the menu of every page.
CREATE INDEX offline_entries_waiting ON offline_entries (merchant_id, id DESC)
  WHERE code IS NOT NULL AND resolved_at IS NULL;
