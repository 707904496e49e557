"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import type { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { SelectField } from "@/components/forms/choice-fields";
import { EmailField, TextField } from "@/components/forms/text-fields";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { ADMIN_ROLES, type Admin, inviteAdminSchema } from "@/lib/accounts/model/admin";
import type { ActionResult } from "@/lib/domain/errors";

/** Invites an administrator by e-mail. */
export function AdminDialog({
  invite,
  children,
}: {
  invite: (input: z.input<typeof inviteAdminSchema>) => Promise<ActionResult<Admin>>;
  children: ReactNode;
}) {
  const t = useTranslations("admins");
  const staff = useTranslations("staffMenu");
  const roles = useTranslations("roles");
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{children}</DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("invite")}</DialogTitle>
          <DialogDescription>{t("inviteText")}</DialogDescription>
        </DialogHeader>
        <ActionForm
          schema={inviteAdminSchema}
          action={invite}
          defaultValues={{ firstName: "", lastName: "", email: "", role: "admin" }}
          onSuccess={({ email }) => {
            setOpen(false);
            notify.success(staff("invited", { email }));
            router.refresh();
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name="firstName" label={t("firstName")} autoComplete="off" />
            <TextField name="lastName" label={t("lastName")} autoComplete="off" />
          </div>
          <EmailField name="email" label={t("email")} autoComplete="off" />
          <SelectField
            name="role"
            label={t("role")}
            options={ADMIN_ROLES.map((value) => ({ value, label: roles(`${value}.label`) }))}
          />
          <DialogFooter>
            <DialogCancel />
            <SubmitButton>{t("send")}</SubmitButton>
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}
