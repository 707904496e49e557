CREATE OR REPLACE TRIGGER points_configs_chained AFTER INSERT ON points_configs
  FOR EACH ROW EXECUTE FUNCTION chain_config();
