"use client";

import {
  ChevronRightIcon,
  CornerDownLeftIcon,
  RotateCwIcon,
  SearchIcon,
  SearchXIcon,
  UserPlusIcon,
  XIcon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { readMark } from "@/components/tills/device/mark";
import { knownTill } from "@/components/tills/device/own-till";
import { Button } from "@/components/ui/button";
import { useEarlyText } from "@/components/ui/early-text";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { DialogButton } from "@/components/ui/use-loaded";
import { MIN_SEARCH_LENGTH } from "@/lib/counter/model/panel-search";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/localized-names";
import { formatPoints } from "@/lib/domain/money";
import { foundCustomers } from "./answer-cache";
import { availableOf } from "./check-amount";
import { followTypedCode } from "./typed-code";
import type { CounterHit, CounterSetting } from "./types";
import type { Served } from "./use-open-customer";

const DEBOUNCE_MS = 300;

type SearchState = { term: string; busy: boolean; failed: boolean; results: CounterHit[] | null };

function useSearch({ api: { search, session }, onSignedOut }: CounterSetting) {
  const [term, setTerm] = useState("");
  const [state, setState] = useState<SearchState>({ term: "", busy: false, failed: false, results: null });
  const [retries, setRetries] = useState(0);
  const whenSignedOut = useEffectEvent(onSignedOut);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry searches for the same term again
  useEffect(() => {
    const trimmed = term.trim();
    const question = trimmed.toLowerCase();
    const show = (results: CounterHit[] | null, failed = false) =>
      setState({ term: trimmed, busy: false, failed, results });
    if (trimmed.length < MIN_SEARCH_LENGTH) return show(null);
    const cached = foundCustomers.get(session, question);
    if (cached) return show(cached);
    const abort = new AbortController();
    setState((previous) => ({ ...previous, busy: true, failed: false }));
    const timer = setTimeout(async () => {
      const answer = await search(trimmed, abort.signal);
      if (abort.signal.aborted) return;
      if (answer.kind === "signedOut") return whenSignedOut(answer.ended);
      if (answer.kind !== "ok") return show(null, true);
      foundCustomers.keep(session, question, answer);
      show(answer.data);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, retries, search, session]);

  return { term, setTerm, state, retry: () => setRetries((count) => count + 1) };
}

const loadNewCustomer = () => import("./new-customer");

export const SEARCH_ID = "counter-search";

/** Finds a customer by any three letters. A card code that is pasted, or typed by a hardware scanner, opens the card. */
export function CustomerSearch({ setting, served }: { setting: CounterSetting; served: Served }) {
  const t = useTranslations("counter.search");
  const { term, setTerm, state, retry } = useSearch(setting);
  const openCode = useRef(served.openCode);
  openCode.current = served.openCode;
  const [code] = useState(() =>
    followTypedCode((text) => {
      setTerm("");
      openCode.current(text);
    }),
  );
  useEffect(() => code.stop, [code]);
  const enterText = (text: string) => {
    setTerm(text);
    code.change(text);
  };
  const field = useEarlyText(term, enterText);
  const onKeyDown = useResultKeys(state, term, served.openId, code.end);
  return (
    <section className="grid min-w-0 grid-cols-1 content-start gap-2" onKeyDownCapture={onKeyDown}>
      <Label htmlFor={SEARCH_ID}>{t("label")}</Label>
      <div className="relative">
        <SearchIcon
          className="pointer-events-none absolute inset-y-0 start-3.5 my-auto size-5 text-muted-foreground"
          aria-hidden
        />
        <Input
          ref={field}
          id={SEARCH_ID}
          type="search"
          size="xl"
          value={term}
          placeholder={t("hint", { count: MIN_SEARCH_LENGTH })}
          autoComplete="off"
          className="h-14 ps-11 pe-12 text-base md:text-lg [&::-webkit-search-cancel-button]:hidden"
          onChange={(event) => enterText(event.target.value)}
        />
        {term !== "" && (
          <Button
            variant="ghost"
            size="icon-xl"
            className="absolute inset-y-0 end-1 my-auto"
            aria-label={t("clear")}
            onClick={() => enterText("")}
          >
            <XIcon aria-hidden />
          </Button>
        )}
      </div>
      <div role="status" className="sr-only">
        {state.results && !state.busy && t("found", { count: state.results.length })}
      </div>
      {term !== "" && <Results state={state} served={served} onRetry={retry} />}
    </section>
  );
}

/** Enter opens a typed code, else the first hit, or before the answer the only one that it then brings. */
function useResultKeys(
  state: SearchState,
  term: string,
  openId: (id: string) => void,
  openCode: () => boolean,
) {
  const wanted = useRef<string | null>(null);
  const current = !state.busy && state.term === term.trim() ? state.results : null;
  useEffect(() => {
    const [only] = current ?? [];
    if (wanted.current !== term) wanted.current = null;
    if (!wanted.current || !current) return;
    wanted.current = null;
    if (only && current.length === 1) openId(only.publicId);
  }, [current, term, openId]);
  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event;
    const field = document.getElementById(SEARCH_ID);
    const hits = [...currentTarget.querySelectorAll<HTMLElement>("[data-hit]")];
    const at = hits.indexOf(target as HTMLElement);
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (at < 0 && target !== field) return;
      event.preventDefault();
      const next = at + (key === "ArrowDown" ? 1 : -1);
      (next < 0 ? field : hits[Math.min(next, hits.length - 1)])?.focus();
    } else if (key === "Enter" && target === field) {
      event.preventDefault();
      const [first] = current ?? [];
      if (openCode()) return;
      if (first) openId(first.publicId);
      else wanted.current = term;
    } else if (
      at >= 0 &&
      key.length === 1 &&
      key !== " " &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey
    ) {
      field?.focus();
    }
  };
}

function Results({ state, served, onRetry }: { state: SearchState; served: Served; onRetry: () => void }) {
  const t = useTranslations("counter.search");
  if (state.failed) {
    return (
      <Hint>
        {t("failed")}
        <Button variant="outline" size="xl" onClick={onRetry}>
          <RotateCwIcon aria-hidden />
          {t("again")}
        </Button>
      </Hint>
    );
  }
  if (state.results === null) {
    if (!state.busy) {
      return <p className="text-muted-foreground text-sm">{t("hint", { count: MIN_SEARCH_LENGTH })}</p>;
    }
    return (
      <Hint>
        <Spinner className="size-6" />
      </Hint>
    );
  }
  if (state.results.length === 0) {
    const signUp = readMark() === "paired" && knownTill()?.signupUrl;
    return (
      <Hint>
        <SearchXIcon className="size-6" aria-hidden />
        {t("none", { term: state.term })}
        {signUp && (
          <DialogButton
            load={loadNewCustomer}
            dialog={({ NewCustomer }, button) => <NewCustomer url={signUp}>{button}</NewCustomer>}
            variant="outline"
            size="xl"
          >
            <UserPlusIcon aria-hidden />
            {t("newCustomer")}
          </DialogButton>
        )}
      </Hint>
    );
  }
  return <Hits results={state.results} busy={state.busy} served={served} />;
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-24 flex-col items-center justify-center gap-2 rounded-xl border bg-card px-4 py-5 text-center text-muted-foreground text-sm">
      {children}
    </div>
  );
}

function Hits({ results, busy, served }: { results: readonly CounterHit[]; busy: boolean; served: Served }) {
  const t = useTranslations("counter.search");
  const locale = useLocale();
  // One person may hold cards at several businesses.
  const isMixed = new Set(results.map(({ businessName }) => businessName)).size > 1;
  return (
    <ul
      className="max-h-96 divide-y overflow-y-auto overscroll-contain rounded-xl border bg-card"
      aria-busy={busy}
      aria-label={t("results")}
    >
      {results.map((customer) => (
        <li key={customer.publicId} className="group">
          <button
            type="button"
            data-hit
            disabled={served.opening === customer.publicId}
            className="flex min-h-14 w-full items-center gap-3 px-4 py-2 text-start hover:bg-accent focus-visible:bg-accent focus-visible:outline-2 focus-visible:outline-ring focus-visible:-outline-offset-2"
            onClick={() => served.openId(customer.publicId)}
          >
            <span className="min-w-0 flex-1">
              <bdi className="wrap-anywhere block font-medium">{customer.fullName}</bdi>
              <bdi className="wrap-anywhere block text-muted-foreground text-sm">
                {[customer.phone && formatPhone(customer.phone), customer.email].filter(Boolean).join(" · ")}
              </bdi>
              {isMixed && (
                <bdi className="wrap-anywhere block text-muted-foreground text-sm">
                  {merchantName(customer, locale)}
                </bdi>
              )}
            </span>
            <span className="shrink-0 font-semibold tabular-nums">
              {formatPoints(availableOf(customer), locale)}
            </span>
            {served.opening === customer.publicId ? (
              <Spinner className="size-4" />
            ) : (
              <>
                <CornerDownLeftIcon
                  className="hidden size-4 shrink-0 text-muted-foreground pointer-fine:group-first:block"
                  aria-hidden
                />
                <ChevronRightIcon
                  className="size-4 shrink-0 text-muted-foreground rtl:-scale-x-100 pointer-fine:group-first:hidden"
                  aria-hidden
                />
              </>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
