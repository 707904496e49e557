"use client";

import { SearchIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { Input, type InputProps } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";

const DEBOUNCE_MS = 300;

export type SearchInputProps = Omit<InputProps, "value" | "defaultValue" | "onChange" | "type"> & {
  /** The label for screen readers, and the placeholder if none is given. */
  label: string;
  /** The active term. A term that this box did not send comes from outside and replaces the text. */
  current?: string;
  /** Called with the trimmed term 300 ms after the last key, and immediately on Enter or when cleared. */
  onSearch: (term: string) => void;
  pending?: boolean;
};

/** The text of the box. It sends its term after a pause in typing, and takes the terms that come from outside. */
function useTerm(current: string, onSearch: (term: string) => void) {
  const [text, setText] = useState(current);
  const lastTerm = useRef(current.trim());
  // Terms that were sent and have not come back as `current`.
  const pendingTerms = useRef<string[]>([]);
  const latestOnSearch = useRef(onSearch);
  useEffect(() => {
    latestOnSearch.current = onSearch;
  });

  const sendTerm = useCallback((term: string) => {
    if (term === lastTerm.current) return;
    lastTerm.current = term;
    pendingTerms.current.push(term);
    latestOnSearch.current(term);
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => sendTerm(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sendTerm]);
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

/** A search box that sends its term after a pause in typing. */
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
  const box = useRef<HTMLInputElement>(null);
  const { text, setText, sendTerm } = useTerm(current, onSearch);

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
