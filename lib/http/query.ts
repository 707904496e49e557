import type { z } from "zod";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The filters of a page's address. What a mangled link says wrongly is left out, so that the list still shows. */
export async function pageQuery<S extends z.ZodObject>(
  schema: S,
  params: SearchParams,
): Promise<z.output<S>> {
  const given = Object.fromEntries(
    Object.entries(await params).map(([key, value]) => [
      key,
      // Postgres keeps no NUL character.
      (Array.isArray(value) ? value[0] : value)?.replaceAll("\0", ""),
    ]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  return schema.parse(Object.fromEntries(Object.entries(given).filter(([key]) => !wrong.has(key))));
}
