CREATE OR REPLACE TRIGGER customers_balance_by_posting BEFORE UPDATE ON customers
  FOR EACH ROW
  WHEN (NOT is_posting() AND (old.balance <> new.balance OR old.movement_count <> new.movement_count OR
    old.merchant_id <> new.merchant_id OR old.bonus <> new.bonus OR old.held <> new.held OR old.last_posted_at IS DISTINCT FROM
    new.last_posted_at OR old.unproved_on IS DISTINCT FROM new.unproved_on OR old.unproved <> new.unproved OR
    old.event_count <> new.event_count))
  EXECUTE FUNCTION only_by_posting();

CREATE OR REPLACE TRIGGER customers_balance_maximum BEFORE UPDATE ON customers
  FOR EACH ROW
  WHEN (new.balance > old.balance AND current_setting('wallet.posting'::text, true) IS DISTINCT FROM 'post'::text)
  EXECUTE FUNCTION balance_within_maximum();

CREATE OR REPLACE TRIGGER customers_code_stays BEFORE UPDATE OF code ON customers
  FOR EACH ROW
  WHEN (old.code IS NOT NULL AND old.code IS DISTINCT FROM new.code)
  EXECUTE FUNCTION customer_code_stays();

CREATE OR REPLACE TRIGGER customers_contacts BEFORE INSERT OR UPDATE OF email, phone ON customers
  FOR EACH ROW EXECUTE FUNCTION mark_staff_card();

CREATE OR REPLACE TRIGGER customers_emails_added AFTER INSERT ON customers
  FOR EACH ROW
  WHEN (new.email IS NOT NULL)
  EXECUTE FUNCTION keep_card_emails();

CREATE OR REPLACE TRIGGER customers_emails_changed AFTER UPDATE OF email ON customers
  FOR EACH ROW
  WHEN (old.email IS DISTINCT FROM new.email)
  EXECUTE FUNCTION keep_card_emails();

CREATE OR REPLACE TRIGGER customers_erased AFTER UPDATE OF status ON customers
  FOR EACH ROW
  WHEN (new.status = 'erased'::"CustomerStatus" AND old.status <> 'erased'::"CustomerStatus")
  EXECUTE FUNCTION erase_customer_texts();

-- After customers_contacts, which may write the phone.
CREATE OR REPLACE TRIGGER customers_search_folded BEFORE INSERT OR UPDATE OF full_name, email, phone, public_id ON customers
  FOR EACH ROW EXECUTE FUNCTION fold_customer();

CREATE OR REPLACE TRIGGER customers_start_empty BEFORE INSERT ON customers
  FOR EACH ROW
  WHEN (NOT is_posting() AND (new.balance <> 0 OR new.movement_count <> 0 OR new.bonus <> 0 OR new.held <> 0))
  EXECUTE FUNCTION only_by_posting();

-- Not for seeds, which make cards that nobody waited for.
CREATE OR REPLACE TRIGGER customers_event_created AFTER INSERT ON customers
  FOR EACH ROW
  WHEN (current_setting('wallet.posting'::text, true) IS DISTINCT FROM 'on'::text)
  EXECUTE FUNCTION add_customer_event();

CREATE OR REPLACE TRIGGER customers_event_changed AFTER UPDATE OF full_name, email, phone, date_of_birth, locale, status ON customers
  FOR EACH ROW
  WHEN (old.full_name IS DISTINCT FROM new.full_name OR
    old.email IS DISTINCT FROM new.email OR
    old.phone IS DISTINCT FROM new.phone OR
    old.date_of_birth IS DISTINCT FROM new.date_of_birth OR
    old.locale IS DISTINCT FROM new.locale OR
    old.status IS DISTINCT FROM new.status)
  EXECUTE FUNCTION add_customer_event();
