export { NotFoundScreen as default } from "@/components/panel/not-found-screen";
