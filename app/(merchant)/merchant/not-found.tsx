export { NotFoundScreen as default } from "@/components/errors/not-found-screen";
