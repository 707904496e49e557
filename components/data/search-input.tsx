"use client";

import { SearchIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { Input, type InputProps } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";

const DEBOUNCE_MS = 300;

export type SearchInputProps = Omit<InputProps, "value" | "defaultValue" | "onChange" | "type"> & {
  /** Said to screen readers, and shown as the placeholder when there is none. */
  label: string;
  /** The term in force. Another than this box last said came from outside, and stands in the box at once. */
  current?: string;
  /** Hears of the trimmed term 300 ms after the last key, and at once on Enter or when it is cleared. */
  onSearch: (term: string) => void;
  pending?: boolean;
};

/** A search box that waits for a pause in typing. */
export function SearchInput({
  label,
  current = "",
  onSearch,
  pending,
  className,
  placeholder,
  ...props
}: SearchInputProps) {
  const t = useTranslations("list");
  const [text, setText] = useState(current);
  const said = useRef(current.trim());
  // Terms that were said and did not come back as the current one yet.
  const underWay = useRef<string[]>([]);
  const box = useRef<HTMLInputElement>(null);
  const hear = useRef(onSearch);
  useEffect(() => {
    hear.current = onSearch;
  });

  const say = useCallback((term: string) => {
    if (term === said.current) return;
    said.current = term;
    underWay.current.push(term);
    hear.current(term);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => say(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, say]);
  useEffect(() => {
    const term = current.trim();
    const own = underWay.current.indexOf(term);
    // An answer to what was typed a moment ago: what was typed since stays.
    if (own >= 0) underWay.current.splice(0, own + 1);
    else if (term !== said.current) {
      said.current = term;
      setText(current);
    }
  }, [current]);

  return (
    <div className={cn("relative min-w-0", className)}>
      <SearchIcon
        className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted-foreground"
        aria-hidden
      />
      <Input
        ref={box}
        type="search"
        role="searchbox"
        aria-label={label}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        {...props}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && say(text.trim())}
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
              className="flex size-8 items-center justify-center rounded-md text-muted-foreground hover:text-foreground"
              onClick={() => {
                setText("");
                say("");
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
