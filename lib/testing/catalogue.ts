import type pg from "pg";

/**
 * Everything that a schema consists of, a query for each kind of object. Places count the columns that are there, and
 * definitions are the pretty ones: they leave out the parentheses that a dump and a restore change.
 */
const KINDS = {
  tables: `select c.relname as name, c.relkind, c.reloptions, c.relrowsecurity, c.relreplident, c.relacl::text,
      pg_get_userbyid(c.relowner) as owner from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')`,
  columns: `select c.relname || '.' || a.attname as name,
      row_number() over (partition by c.oid order by a.attnum)::int as place, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull, a.attgenerated, a.attidentity, a.attstorage, a.attcompression, a.attstattarget, a.attoptions,
      pg_get_expr(d.adbin, d.adrelid, true) as "default", a.attacl::text, a.attcollation::regcollation::text as collation
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'c') and a.attnum > 0
      and not a.attisdropped`,
  enums: `select t.typname as name, (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
      where e.enumtypid = t.oid) as labels from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype = 'e'`,
  constraints: `select o.conrelid::regclass || '.' || o.conname as name, o.contype, o.convalidated, o.condeferrable,
      o.condeferred, o.conenforced, pg_get_constraintdef(o.oid, true) as definition from pg_constraint o
    where o.connamespace = 'public'::regnamespace and o.contype <> 't'`,
  indexes: `select i.indexrelid::regclass::text as name, i.indisvalid, i.indisreplident, c.reloptions,
      pg_get_indexdef(i.indexrelid, 0, true) as definition,
      (select array_agg(a.attstattarget) from pg_attribute a where a.attrelid = c.oid) as targets
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace`,
  statistics: `select stxname::text as name, pg_get_statisticsobjdef(oid) as definition from pg_statistic_ext
    where stxnamespace = 'public'::regnamespace`,
  triggers: `select t.tgrelid::regclass || '.' || t.tgname as name, t.tgenabled, pg_get_triggerdef(t.oid, true) as definition
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
  views: `select c.relname as name, pg_get_viewdef(c.oid, true) as definition from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')`,
  functions: `select p.oid::regprocedure::text as name, pg_get_userbyid(p.proowner) as owner, p.proconfig, p.proacl::text,
      p.prosrc, pg_get_functiondef(p.oid) as definition from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  extensions: "select extname as name, extversion from pg_extension",
  sequences:
    "select seqrelid::regclass::text as name, seqtypid::regtype::text as type, seqincrement, seqcycle from pg_sequence",
  defaults: `select format('%s %s', pg_get_userbyid(defaclrole), defaclobjtype) as name, defaclacl::text from pg_default_acl`,
};

/**
 * Every object of a database's schema by kind and name, as the catalogue describes it: tables with their rights, columns
 * with their places, constraints, indexes, triggers, views, functions with owner and settings.
 */
export async function catalogueOf(client: pg.Client): Promise<Record<string, Record<string, unknown>>> {
  const catalogue: Record<string, Record<string, unknown>> = {};
  for (const [kind, query] of Object.entries(KINDS)) {
    const { rows } = await client.query<{ name: string }>(query);
    catalogue[kind] = Object.fromEntries(rows.map((row) => [row.name, row]));
  }
  return catalogue;
}
