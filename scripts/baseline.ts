import { connected } from "./postgres/client";

// npm run baseline URL > prisma/migrations/NAME/migration.sql: the types, tables, indexes and keys of a database, read from
// its catalogue. Functions, views and triggers have files; seed rows are written by hand below the result.

/** Tables that the migrator makes itself. */
const OWN = "'_prisma_migrations', 'ledger_settings', 'sql_texts'";

const PARTS = [
  `select format('CREATE EXTENSION IF NOT EXISTS %I;', extname) as sql from pg_extension
   where extname <> 'plpgsql' order by oid`,
  `select format(E'CREATE TYPE %I AS ENUM (%s);', t.typname,
     (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid)) as sql
   from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'e' order by t.oid`,
  // Tables with the keys and checks that need no other table. The order of the columns is part of the schema.
  `select format(E'\\nCREATE TABLE %I (\\n%s\\n)%s;', c.relname,
     (select string_agg('  ' || line, E',\\n' order by part, place) from (
       select 1 as part, a.attnum::int as place, format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
         || case when a.attgenerated = 's' then format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
              when d.adbin is not null then ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) else '' end
         || coalesce((select case when n.conname = left(c.relname || '_' || a.attname, 54) || '_not_null' then ''
              else format(' CONSTRAINT %I', n.conname) end || ' NOT NULL' from pg_constraint n
            where n.conrelid = c.oid and n.contype = 'n' and n.conkey = array[a.attnum]), '') as line
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       union all
       select case o.contype when 'p' then 2 when 'u' then 3 else 4 end, row_number() over (order by o.oid)::int,
         format('CONSTRAINT %I %s', o.conname, pg_get_constraintdef(o.oid, true))
       from pg_constraint o where o.conrelid = c.oid and o.contype in ('p', 'u', 'c', 'x')
     ) lines),
     coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '')) as sql
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in (${OWN})
   order by c.oid`,
  `select format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE %s;', a.attrelid::regclass, a.attname,
     case a.attstorage when 'p' then 'PLAIN' when 'e' then 'EXTERNAL' when 'm' then 'MAIN' else 'EXTENDED' end) as sql
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
     and a.attstorage <> t.typstorage order by c.oid, a.attnum`,
  `select format(E'\\nCREATE TYPE %I AS (\\n%s\\n);', t.typname, (select string_agg(
     format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)
     from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)) as sql
   from pg_type t join pg_class c on c.oid = t.typrelid
   where t.typnamespace = 'public'::regnamespace and c.relkind = 'c' order by t.oid`,
  `select E'' as sql`,
  `select pg_get_indexdef(i.indexrelid, 0, true) || ';' as sql from pg_index i join pg_class c on c.oid = i.indrelid
   where c.relnamespace = 'public'::regnamespace and c.relname not in (${OWN})
     and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
   order by c.oid, i.indexrelid`,
  `select pg_get_statisticsobjdef(oid) || ';' as sql from pg_statistic_ext
   where stxnamespace = 'public'::regnamespace order by oid`,
  `select E'' as sql`,
  `select format(E'ALTER TABLE %s ADD CONSTRAINT %I\\n  %s;', o.conrelid::regclass, o.conname,
     pg_get_constraintdef(o.oid, true)) as sql
   from pg_constraint o where o.connamespace = 'public'::regnamespace and o.contype = 'f' order by o.conrelid, o.oid`,
];

const url = process.argv[2];
if (!url) throw new Error("Name the database: npm run baseline postgresql://…");
await connected(url, async (client) => {
  for (const part of PARTS) {
    const { rows } = await client.query<{ sql: string }>(part);
    for (const { sql } of rows) console.log(sql);
  }
});
