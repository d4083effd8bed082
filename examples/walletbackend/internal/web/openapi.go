package web

import (
	_ "embed"
	"net/http"
)

// openAPIDocument describes the API. TestOpenAPI holds it against the routes.
//
//go:embed openapi.json
var openAPIDocument []byte

func (s *Server) openAPI(w http.ResponseWriter, _ *visit) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(openAPIDocument)
	return err
}
