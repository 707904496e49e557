CREATE OR REPLACE TRIGGER second_factors_announced AFTER INSERT OR DELETE ON second_factors
  FOR EACH ROW EXECUTE FUNCTION announce_session_change('user', 'user_id');

CREATE OR REPLACE TRIGGER second_factors_confirmed AFTER UPDATE ON second_factors
  FOR EACH ROW
  WHEN (new.confirmed_at IS DISTINCT FROM old.confirmed_at)
  EXECUTE FUNCTION announce_session_change('user', 'user_id');
