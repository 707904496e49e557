import { z } from "zod";
import type { Writer } from "./bind";

/** A value of an answer in both directions: the server writes `Data` from `Out`, and a browser reads it back as `View`. */
type Codec<Schema extends z.ZodType, Out, View, Data = z.output<Schema>> = {
  schema: Schema;
  from: (out: Out, to: Writer) => Data;
  view: (data: Data) => View;
};

type AnyCodec = {
  schema: z.ZodType;
  from: (out: never, to: Writer) => unknown;
  view: (data: never) => unknown;
};
/** A schema alone is a value that both sides write in the same way. */
type Part = z.ZodType | AnyCodec;

/** Marks a field that the server computes from the whole object, not from the field of the same name. */
type Computed = { computed: true };
type Optional = { optional: true };
/** An optional field that the server's object may lack, too. */
type Lacking = Optional & { lacking: true };

type SchemaOf<P> = P extends { schema: infer S extends z.ZodType } ? S : P extends z.ZodType ? P : never;
type OutOf<P> = P extends { from: (out: infer O, to: Writer) => unknown }
  ? O
  : P extends z.ZodType
    ? z.output<P>
    : never;
type ViewOf<P> = P extends { view: (data: never) => infer V } ? V : P extends z.ZodType ? z.output<P> : never;

/** The fields of an object: of each API name, the name in the domain and its value. */
type Spec = Readonly<Record<string, readonly [name: string, part: Part]>>;

type Keys<S extends Spec, Mark> = {
  [K in keyof S]: S[K][1] extends Mark ? K : never;
}[keyof S];
type Plain<S extends Spec> = Exclude<keyof S, Keys<S, Computed>>;
type All<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer I) => void ? I : never;
type Flat<T> = { [K in keyof T]: T[K] } & {};

type SpecOut<S extends Spec> = Flat<
  { [K in Exclude<Plain<S>, Keys<S, Lacking>> as S[K][0]]: OutOf<S[K][1]> } & {
    [K in Extract<Plain<S>, Keys<S, Lacking>> as S[K][0]]?: OutOf<S[K][1]>;
  }
> &
  ([Keys<S, Computed>] extends [never] ? unknown : All<OutOf<S[Keys<S, Computed>][1]>>);
type SpecView<S extends Spec> = Flat<
  { [K in Exclude<keyof S, Keys<S, Optional>> as S[K][0]]: ViewOf<S[K][1]> } & {
    [K in Keys<S, Optional> as S[K][0]]?: ViewOf<S[K][1]>;
  }
>;
type SpecShape<S extends Spec> = { -readonly [K in keyof S]: SchemaOf<S[K][1]> };

export type Fields<S extends Spec> = Codec<z.ZodObject<SpecShape<S>>, SpecOut<S>, SpecView<S>>;

export type DataOf<C extends { schema: z.ZodType }> = z.output<C["schema"]>;

type Loose = Codec<z.ZodType, unknown, unknown>;
const same = (value: unknown) => value;
const codecOf = (part: Part): Loose =>
  "from" in part ? (part as unknown as Loose) : { schema: part, from: same, view: same };

/** Fields with API names: `{ sCity: ["city", z.string()] }`. One that old servers lack needs `otherwise`. */
export function fields<const S extends Spec>(spec: S): Fields<S> {
  const entries = Object.entries(spec).map(([wire, [name, part]]) => ({
    wire,
    name,
    codec: codecOf(part),
    computed: "computed" in part,
    // Every zod schema has a method of this name.
    optional: (part as { optional?: unknown }).optional === true,
  }));
  return {
    schema: z.object(Object.fromEntries(entries.map(({ wire, codec }) => [wire, codec.schema]))),
    from: (out: Record<string, unknown>, to: Writer) => {
      const data: Record<string, unknown> = {};
      for (const { wire, name, codec, computed, optional } of entries) {
        const value = computed ? codec.from(out, to) : out[name];
        if (optional && value === undefined) continue;
        data[wire] = computed ? value : codec.from(value, to);
      }
      return data;
    },
    view: (data: Record<string, unknown>) => {
      const view: Record<string, unknown> = {};
      for (const { wire, name, codec, optional } of entries)
        if (!optional || data[wire] !== undefined) view[name] = codec.view(data[wire]);
      return view;
    },
  } as unknown as Fields<S>;
}

/** The names of these fields in a request. */
export const namesOf = <const S extends Spec>(spec: S): { readonly [K in keyof S]: S[K][0] } =>
  Object.fromEntries(Object.entries(spec).map(([wire, [name]]) => [wire, name])) as {
    readonly [K in keyof S]: S[K][0];
  };

/** A field that the server computes from the whole object. */
export function computed<Whole, Schema extends z.ZodType>(
  schema: Schema,
  from: (whole: Whole, to: Writer) => z.output<Schema> | undefined,
) {
  return { computed: true, schema, from, view: (data: z.output<Schema>) => data } as const;
}

type Absent<P, Out> = Codec<z.ZodOptional<SchemaOf<P>>, Out, ViewOf<P>, z.output<SchemaOf<P>>>;

/** A field that may be absent. */
export function optional<P extends Part>(part: P) {
  const codec = codecOf(part);
  const made: unknown = { ...part, ...codec, optional: true, schema: codec.schema.optional() };
  return made as Absent<P, OutOf<P>> & Lacking & (P extends Computed ? Computed : unknown);
}

/** A field that is absent where the value is null. */
export function absentIfNull<P extends Part>(part: P) {
  const codec = codecOf(part);
  const from = (out: unknown, to: Writer) => (out === null ? undefined : codec.from(out, to));
  return optional({ ...codec, from }) as unknown as Absent<P, OutOf<P> | null> & Optional;
}

export function nullable<P extends Part>(part: P) {
  const codec = codecOf(part);
  return {
    schema: codec.schema.nullable(),
    from: (out: unknown, to: Writer) => (out === null ? null : codec.from(out, to)),
    view: (data: unknown) => (data === null ? null : codec.view(data)),
  } as unknown as Codec<z.ZodNullable<SchemaOf<P>>, OutOf<P> | null, ViewOf<P> | null>;
}

export function list<P extends Part>(part: P) {
  const codec = codecOf(part);
  return {
    schema: z.array(codec.schema),
    from: (out: unknown[], to: Writer) => out.map((one) => codec.from(one, to)),
    view: (data: unknown[]) => data.map(codec.view),
  } as unknown as Codec<z.ZodArray<SchemaOf<P>>, OutOf<P>[], ViewOf<P>[]>;
}

/** A value that a server of the version before does not answer, and what it is then. */
export function otherwise<P extends Part>(part: P, absent: ViewOf<P>) {
  const codec = codecOf(part);
  const view = (data: unknown) => (data === undefined ? absent : codec.view(data));
  return { ...codec, view } as unknown as Codec<SchemaOf<P>, OutOf<P>, ViewOf<P>>;
}

export const instant = {
  schema: z.iso.datetime(),
  from: (date: Date) => date.toISOString(),
  view: (text: string) => new Date(text),
} satisfies Codec<z.ZodType<string>, Date, Date>;

/** A moment that a browser keeps as its text, ISO 8601. */
export const instantText = { ...instant, view: (text: string) => text };

/** A page of a list by cursor. */
export const pageOf = <P extends Part>(part: P) =>
  fields({ results: ["results", list(part)], nextCursor: ["nextCursor", z.string().nullable()] });
