import { redirect } from "next/navigation";

/** The specification sends every unknown path to the login page. */
export default function NotFound(): never {
  redirect("/login");
}
