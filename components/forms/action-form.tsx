"use client";

import { CircleAlertIcon } from "lucide-react";
import { unstable_rethrow } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from "react";
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { redirectIfSignedOut, SignedOutContext } from "@/components/accounts/session/session";
import { withStepUp } from "@/components/accounts/session/step-up";
import { Alert } from "@/components/ui/alert";
import { Button, type ButtonProps } from "@/components/ui/button";
import { DialogSending } from "@/components/ui/dialog-sending";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/components/ui/utils";
import type { ActionResult, Refusal } from "@/lib/domain/errors";
import { FormStateContext, issueKey, useFieldMessage, useFormBusy } from "./field";

declare global {
  interface Window {
    /** The form that was sent before the page's scripts ran: app/layout.tsx. */
    walletEarlyForm?: HTMLFormElement;
  }
}

function sendIfEarly(form: HTMLFormElement | null): void {
  if (!form || window.walletEarlyForm !== form) return;
  delete window.walletEarlyForm;
  form.requestSubmit();
}

type FormSchema<I extends FieldValues> = z.ZodType<unknown, I>;
/** A schema, or how to load it, for pages that should show their form first. */
type SchemaSource<I extends FieldValues> = FormSchema<I> | (() => Promise<FormSchema<I>>);

/** Validates by the schema. What validates is loaded at the first use; where that fails, the server decides alone. */
function resolverOf<I extends FieldValues>(source: SchemaSource<I>) {
  let loading: Promise<Resolver<I>> | undefined;
  const load = () => {
    loading ??= Promise.all([
      import("@hookform/resolvers/zod"),
      typeof source === "function" ? source() : source,
    ]).then(([{ zodResolver }, schema]) =>
      zodResolver<I, unknown, unknown, FormSchema<I>>(schema, { error: issueKey }, { raw: true }),
    );
    return loading;
  };
  const resolve: Resolver<I> = async (values, context, options) => {
    try {
      const resolver = await load();
      return await resolver(values, context, options);
    } catch {
      loading = undefined;
      return { values, errors: {} };
    }
  };
  return { resolve, warm: () => void load().catch(() => undefined) };
}

export type ActionFormProps<I extends FieldValues, R> = {
  /** The operation's schema, or a narrowing of it (`.pick`, `.omit`, `.extend`). */
  schema: SchemaSource<I>;
  /** A server action; receives the values as entered and parses them again. */
  action: (input: I) => Promise<ActionResult<R>>;
  /** The initial values of all fields, including those without a control (ids, keys). */
  defaultValues: DefaultValues<I>;
  /** `replayed`: an earlier request with the same key did it, and this one did nothing. */
  onSuccess?: (data: R, form: UseFormReturn<I>, replayed: boolean) => void | Promise<void>;
  confirm?: (values: I) => Promise<boolean>;
  /** Returns true if it handled the refusal, so that the form does not show it. */
  onRefused?: (refusal: Refusal, form: UseFormReturn<I>) => boolean | undefined;
  /** Keeps the form locked after success, for forms that open another page. */
  once?: boolean;
  className?: string;
  children: ReactNode | ((form: UseFormReturn<I>) => ReactNode);
};

function useRefusals<I extends FieldValues>(
  form: UseFormReturn<I>,
  onRefused: ActionFormProps<I, unknown>["onRefused"],
) {
  const [problem, setProblem] = useState<string | null>(null);
  const registered = useRef(new Set<string>());
  const message = useFieldMessage();
  const onSignedOut = useContext(SignedOutContext);

  function showRefusal(refusal: Refusal) {
    if (onRefused?.(refusal, form) || redirectIfSignedOut(refusal, onSignedOut)) return;
    const entries = Object.entries(refusal.fieldErrors);
    const own = entries.filter(([path]) => registered.current.has(path));
    const rest = entries.filter(([path]) => !registered.current.has(path)).map(([, text]) => message(text));
    own.forEach(([path, text], index) => {
      form.setError(path as Path<I>, { type: "server", message: text }, { shouldFocus: index === 0 });
    });
    const fieldTexts = own.map(([, text]) => text);
    const texts = [refusal.message, ...rest].filter(
      (text) => text !== undefined && !fieldTexts.includes(text),
    );
    setProblem([...new Set(texts)].join(" ") || null);
  }

  const registerField = useCallback((name: string) => {
    registered.current.add(name);
    return () => void registered.current.delete(name);
  }, []);
  return { problem, setProblem, showRefusal, registerField };
}

/**
 * A form over one server action. Refusals appear at their fields, other messages above the form. It sends
 * once even if submitted again meanwhile, keeps its dialog open, and keeps the input without a connection.
 */
export function ActionForm<I extends FieldValues, R>({
  schema,
  action,
  defaultValues,
  onSuccess,
  onRefused,
  confirm,
  once = false,
  className,
  children,
}: ActionFormProps<I, R>) {
  const [{ resolve, warm }] = useState(() => resolverOf(schema));
  const form = useForm<I>({ resolver: resolve, defaultValues, mode: "onTouched" });
  const t = useTranslations("errors");
  const { problem, setProblem, showRefusal, registerField } = useRefusals(form, onRefused);
  const [locked, setLocked] = useState(false);
  const [pending, startTransition] = useTransition();
  const sending = useRef(false);
  const dialogSending = useContext(DialogSending);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => sendIfEarly(element.current), []);

  async function send(values: I) {
    setProblem(null);
    try {
      const result = await withStepUp(() => action(values));
      if (!result.ok) return showRefusal(result);
      if (once) setLocked(true);
      await onSuccess?.(result.data, form, result.replayed === true);
    } catch (error) {
      unstable_rethrow(error);
      setProblem(t(error instanceof Error && "digest" in error ? "internal" : "unavailable"));
    }
  }

  const submit = form.handleSubmit(async (values) => {
    if (sending.current || locked) return;
    sending.current = true;
    const asked = confirm ? await confirm(values).catch(() => null) : true;
    if (!asked) {
      sending.current = false;
      // Without an answer there was no question either, so the form says why nothing was sent.
      setProblem(asked === null ? t("unavailable") : null);
      return;
    }
    if (dialogSending) dialogSending.current = true;
    startTransition(async () => {
      try {
        await send(values);
      } finally {
        sending.current = false;
        if (dialogSending) dialogSending.current = false;
      }
    });
  });

  const busy = pending || locked;
  const state = useMemo(() => ({ busy, registerField }), [busy, registerField]);

  return (
    <FormProvider {...form}>
      <FormStateContext value={state}>
        <form
          ref={element}
          noValidate
          aria-busy={busy}
          onSubmit={submit}
          onFocus={warm}
          className={cn("flex flex-col base:gap-4", className)}
        >
          {problem && (
            <Alert variant="destructive" icon={CircleAlertIcon}>
              {problem}
            </Alert>
          )}
          {typeof children === "function" ? children(form) : children}
        </form>
      </FormStateContext>
    </FormProvider>
  );
}

/** Submits the surrounding ActionForm. Shows a spinner meanwhile and keeps the focus. */
export function SubmitButton({
  children,
  pendingLabel,
  disabled,
  ...props
}: Omit<ButtonProps, "type" | "asChild"> & { pendingLabel?: ReactNode }) {
  const busy = useFormBusy();
  return (
    <Button type="submit" disabled={disabled} aria-disabled={busy || undefined} {...props}>
      {busy && <Spinner />}
      {busy && pendingLabel ? pendingLabel : children}
    </Button>
  );
}
