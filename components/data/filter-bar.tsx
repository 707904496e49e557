"use client";

import { SearchIcon, SlidersHorizontalIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Popover } from "radix-ui";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useEarlyText } from "@/components/ui/early-text";
import { Input } from "@/components/ui/input";
import { Sheet, SheetContent, SheetFooter, SheetHeader, SheetTitle } from "@/components/ui/sheet";
import { Spinner } from "@/components/ui/spinner";
import { type FilterField, FilterRange, FilterSelect, type FilterSet } from "./filter-fields";
import { useListFrame } from "./list-frame";
import { saveListQuery } from "./list-query";
import { FilterSort } from "./sorting";
import { useSpanText } from "./spans";
import { useUrlFilters } from "./url-filters";

/** A filter in words: "Customer: Layla". `name` is its parameter. */
export type Chip = { name: string; label: string; value: string };

/** The filters of a list, kept in the URL: a button opens them, and chips name those in force. `children` stay in the row. */
export function FilterBar({
  search,
  fields = [],
  range,
  span,
  sort,
  chips = [],
  actions,
  children,
}: FilterSet & {
  search?: string;
  /** Filters that have no control here, such as the customer that a link names. */
  chips?: readonly Chip[];
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const { path, params, get, set, pending } = useUrlFilters();
  useEffect(() => saveListQuery(path, params.toString()), [path, params]);
  const folded = [...fields.map(({ name }) => name), ...(range ? ["from", "to"] : [])];
  const all = [...(search ? ["search"] : []), ...folded, ...chips.map(({ name }) => name)];
  const clear = () => set(Object.fromEntries(all.map((name) => [name, null])));
  const used = fields.filter(({ name }) => get(name) !== "").length + (get("from") || get("to") ? 1 : 0);
  // A span that always applies is in the row; any other is a filter like the rest.
  const needed = range !== undefined && span !== undefined;
  const filters = { fields, sort, ...(needed ? {} : { range }) };
  const hidden = folded.length === 0 || (needed && fields.length === 0);
  return (
    <search className="filter-bar">
      {search && (
        <SearchInput
          label={search}
          current={get("search")}
          pending={pending}
          onSearch={(term) => set({ search: term })}
        />
      )}
      {needed && <FilterRange label={range} fallback={span} hideLabel />}
      {(!hidden || sort) && (
        <div className={hidden ? "filter-button sort-only" : "filter-button"}>
          <FilterSheet {...filters} used={used} clear={clear} />
        </div>
      )}
      {children}
      <FilterChips fields={fields} range={needed ? undefined : range} chips={chips} clear={clear} />
      {actions && <div className="filter-actions">{actions}</div>}
    </search>
  );
}

// A desk or a tablet has room for the filters below their button; a phone, upright or on its side, has a sheet.
const ROOMY = "(width >= 40rem) and (height >= 32rem)";

function FilterSheet(props: FilterSet & { used: number; clear: () => void }) {
  const { used, clear } = props;
  const t = useTranslations("list");
  const [open, setOpen] = useState(false);
  const [isRoomy, setRoomy] = useState(true);
  const buttons = <SheetButtons clear={used > 0 ? clear : null} close={() => setOpen(false)} />;
  return (
    <>
      <Popover.Root open={open && isRoomy} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <Button
            variant="outline"
            className="w-full"
            onClick={({ currentTarget }) => {
              // The sheet gives the focus back to what had it, and Safari does not focus what is clicked.
              currentTarget.focus();
              setRoomy(window.matchMedia(ROOMY).matches);
            }}
          >
            <SlidersHorizontalIcon aria-hidden /> {t("filters")}
            {used > 0 && <Badge variant="soft">{used}</Badge>}
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-label={t("filters")}
            className="z-50 flex max-h-(--radix-popover-content-available-height) w-108 flex-col gap-4 overflow-y-auto rounded-xl border bg-popover p-4 text-popover-foreground shadow-xl"
          >
            <Fields {...props} />
            <div className="flex gap-2">{buttons}</div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <Sheet open={open && !isRoomy} onOpenChange={setOpen}>
        <SheetContent side="bottom" aria-describedby={undefined} className="mx-auto max-w-2xl">
          <SheetHeader className="pb-0">
            <SheetTitle>{t("filters")}</SheetTitle>
          </SheetHeader>
          <div className="px-5">
            <Fields {...props} />
          </div>
          <SheetFooter className="flex-row">{buttons}</SheetFooter>
        </SheetContent>
      </Sheet>
    </>
  );
}

function Fields({ fields = [], range, span, sort }: FilterSet) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {range && <FilterRange label={range} fallback={span} />}
      {fields.map((field) => (
        <FilterSelect key={field.name} {...field} />
      ))}
      {sort && <FilterSort {...sort} />}
    </div>
  );
}

function SheetButtons({ clear, close }: { clear: (() => void) | null; close: () => void }) {
  const t = useTranslations("list");
  const { pending, count } = useListFrame();
  return (
    <>
      {clear && (
        <Button variant="outline" size="lg" onClick={clear}>
          {t("clearFilters")}
        </Button>
      )}
      <Button size="lg" className="flex-1" onClick={close}>
        {pending && <Spinner />}
        {count === null ? t("show") : t("showCount", { count })}
      </Button>
    </>
  );
}

function FilterChips({
  fields,
  range,
  chips,
  clear,
}: {
  fields: readonly FilterField[];
  range: string | undefined;
  chips: readonly Chip[];
  clear: () => void;
}) {
  const t = useTranslations("list");
  const { get, set } = useUrlFilters();
  const span = useSpanText();
  const [from, to] = [get("from"), get("to")];
  const shown = [
    ...chips
      .filter(({ name }) => get(name) !== "")
      .map(({ name, label, value }) => ({ label, value, patch: { [name]: null } })),
    ...(range && (from || to)
      ? [{ label: range, value: span({ from, to }), patch: { from: null, to: null } }]
      : []),
    ...fields.flatMap(({ name, label, options, clears = [] }) => {
      const option = options.find(({ value }) => value === get(name));
      const patch = Object.fromEntries([name, ...clears].map((key) => [key, null]));
      return option ? [{ label, value: option.label, patch }] : [];
    }),
  ];
  if (shown.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label={t("filtered")}>
      {shown.map(({ label, value, patch }) => (
        <li key={label} className="chip">
          <span className="truncate">
            {label}: <bdi>{value}</bdi>
          </span>
          <button type="button" aria-label={t("removeFilter", { name: label })} onClick={() => set(patch)}>
            <XIcon className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="chip-clear" onClick={clear}>
          {t("clearFilters")}
        </button>
      </li>
    </ul>
  );
}

/** Shows the list without its filters: the way on from a list where nothing matches. */
export function ClearFilters() {
  const t = useTranslations("list");
  const { path, navigate } = useUrlFilters();
  return (
    <Button variant="outline" onClick={() => navigate(path)}>
      <XIcon aria-hidden /> {t("clearFilters")}
    </Button>
  );
}

const DEBOUNCE_MS = 300;

type SearchInputProps = {
  label: string;
  current: string;
  onSearch: (term: string) => void;
  pending: boolean;
};

/** The text of the box. It sends its term after a pause in typing, and takes the terms that come from outside. */
function useTerm(current: string, onSearch: (term: string) => void) {
  const [text, setText] = useState(current);
  const lastTerm = useRef(current.trim());
  // Terms that were sent and have not come back as `current`.
  const pendingTerms = useRef<string[]>([]);
  const sendTerm = (term: string) => {
    if (term === lastTerm.current) return;
    lastTerm.current = term;
    pendingTerms.current.push(term);
    onSearch(term);
  };
  const sendLater = useEffectEvent(sendTerm);
  useEffect(() => {
    const timer = setTimeout(() => sendLater(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const term = current.trim();
    const index = pendingTerms.current.indexOf(term);
    // The term comes from this box: keep what was typed since.
    if (index >= 0) pendingTerms.current.splice(0, index + 1);
    else if (term !== lastTerm.current) {
      lastTerm.current = term;
      setText(current);
    }
  }, [current]);
  return { text, setText, sendTerm };
}

function SearchInput({ label, current, onSearch, pending }: SearchInputProps) {
  const t = useTranslations("list");
  const { text, setText, sendTerm } = useTerm(current, onSearch);
  const box = useEarlyText(text, setText);

  return (
    <div className="search relative min-w-0">
      <SearchIcon
        className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted-foreground"
        aria-hidden
      />
      <Input
        ref={box}
        type="search"
        role="searchbox"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && sendTerm(text.trim())}
        className="ps-9 pe-10 [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="absolute inset-y-0 end-0 flex w-10 items-center justify-center">
        {pending ? (
          <Spinner className="text-muted-foreground" />
        ) : (
          text !== "" && (
            <button
              type="button"
              aria-label={t("clearSearch")}
              className="touch flex size-8 items-center justify-center rounded-md text-muted-foreground hover:text-foreground"
              onClick={() => {
                setText("");
                sendTerm("");
                box.current?.focus();
              }}
            >
              <XIcon className="size-4" aria-hidden />
            </button>
          )
        )}
      </span>
    </div>
  );
}
