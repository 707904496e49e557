import { useTranslations } from "next-intl";
import type { LoggedMovement } from "@/lib/domain/points";

/** Whose card a movement is on, also when the person is named no more. */
export function CustomerName({ movement }: { movement: LoggedMovement }) {
  const t = useTranslations("customers");
  return <bdi>{movement.customerErased ? t("erasedName") : movement.customer.fullName}</bdi>;
}

/** Who made a movement. What is given up with a deleted card stands in the owner's name, but its holder did it. */
export function ActorName({ movement }: { movement: LoggedMovement }) {
  const t = useTranslations("movements");
  return <bdi>{movement.type === "ADJUSTMENT" ? t("cardHolder") : movement.actor.name}</bdi>;
}
