import type { z } from "zod";
import { deferRead } from "@/components/data/streamed";
import { pageQuery, type SearchParams } from "@/lib/api/page";
import type { Choice } from "@/lib/domain/paging";

/** A filter by one of these values, each in words. `without` says what the list has without it. */
export const filterBy = <V extends string>(
  name: string,
  label: string,
  values: readonly V[],
  words: (value: V) => string,
  without?: string,
) => ({ name, label, options: values.map((value) => ({ value, label: words(value) })), without });

/** The options of a filter by one of these. */
export const asOptions = (choices: readonly Choice[]) =>
  choices.map(({ id, name }) => ({ value: id, label: name }));

type Asked = { sort?: string; limit?: number; from?: string; to?: string };

/** Begins to read a list as its address asks. Order, length and the choice of all rows are no filters. */
export async function readList<S extends z.ZodObject, P>(
  schema: S,
  searchParams: SearchParams,
  read: (query: z.output<S>) => Promise<P>,
) {
  const query = await pageQuery(schema, searchParams);
  const { sort, limit: _, ...filter }: Asked = query;
  const usual: Record<string, unknown> = schema.parse({});
  const filtered = Object.entries(filter).some(
    ([name, value]) => value && value !== "all" && value !== usual[name],
  );
  const backwards = Boolean(filter.from && filter.to && filter.from > filter.to);
  return { query, list: { data: deferRead(read(query)), sort, filtered, backwards } };
}
