CREATE OR REPLACE TRIGGER merchants_announced AFTER UPDATE ON merchants
  FOR EACH ROW
  WHEN (new.status IS DISTINCT FROM old.status OR new.status_reason IS DISTINCT FROM old.status_reason OR
    new.tenders IS DISTINCT FROM old.tenders OR new.suspended_at IS DISTINCT FROM old.suspended_at OR
    new.suspension_reason IS DISTINCT FROM old.suspension_reason OR new.business_name IS DISTINCT FROM
    old.business_name OR new.image_key IS DISTINCT FROM old.image_key OR new.business_name_ar IS DISTINCT FROM
    old.business_name_ar OR new.logo_key IS DISTINCT FROM old.logo_key OR new.colour IS DISTINCT FROM old.colour)
  EXECUTE FUNCTION announce_session_change('merchant', 'id');

CREATE OR REPLACE TRIGGER merchants_reinstated AFTER UPDATE OF suspended_at ON merchants
  FOR EACH ROW
  WHEN (old.suspended_at IS NOT NULL AND new.suspended_at IS NULL)
  EXECUTE FUNCTION lengthen_holds();
