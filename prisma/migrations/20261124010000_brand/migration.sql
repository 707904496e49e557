-- The Arabic name, the logo and the colour of a merchant. Of an approved one they wait for an administrator, as name and
-- image do. Null in all rows there are: what is shown stays as it was.

ALTER TABLE merchants
  ADD COLUMN business_name_ar text,
  ADD COLUMN logo_key text,
  ADD COLUMN colour text CONSTRAINT merchants_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$');

-- The program before this one writes neither; the defaults say so for it.
ALTER TABLE profile_changes
  ADD COLUMN new_name_ar boolean NOT NULL DEFAULT false,
  ADD COLUMN business_name_ar text,
  ADD COLUMN new_logo boolean NOT NULL DEFAULT false,
  ADD COLUMN logo_key text,
  ADD COLUMN new_colour boolean NOT NULL DEFAULT false,
  ADD COLUMN colour text,
  ADD CONSTRAINT profile_changes_name_ar CHECK (new_name_ar OR business_name_ar IS NULL),
  ADD CONSTRAINT profile_changes_logo CHECK (new_logo OR logo_key IS NULL),
  ADD CONSTRAINT profile_changes_colour CHECK ((new_colour OR colour IS NULL) AND colour ~ '^#[0-9a-f]{6}$'),
  DROP CONSTRAINT profile_changes_something,
  ADD CONSTRAINT profile_changes_something
    CHECK (business_name IS NOT NULL OR new_image OR new_name_ar OR new_logo OR new_colour);

-- Servers remember what the profile shows of a merchant with a session.
DROP TRIGGER merchants_announced ON merchants;
CREATE TRIGGER merchants_announced AFTER UPDATE ON merchants FOR EACH ROW
  WHEN (new.status IS DISTINCT FROM old.status OR new.status_reason IS DISTINCT FROM old.status_reason
    OR new.tenders IS DISTINCT FROM old.tenders OR new.suspended_at IS DISTINCT FROM old.suspended_at
    OR new.suspension_reason IS DISTINCT FROM old.suspension_reason
    OR new.business_name IS DISTINCT FROM old.business_name OR new.image_key IS DISTINCT FROM old.image_key
    OR new.business_name_ar IS DISTINCT FROM old.business_name_ar
    OR new.logo_key IS DISTINCT FROM old.logo_key OR new.colour IS DISTINCT FROM old.colour)
  EXECUTE FUNCTION announce_session_change('merchant', 'id');
