package web

import (
	"net/http"
	"time"
)

// logged writes a line a request: never a query, a header, a cookie or a body.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(recorder, r)
		s.Log.Info("request", "method", r.Method, "path", r.URL.Path, "status", recorder.status,
			"duration", time.Since(begun).Round(time.Millisecond))
	})
}

// statusRecorder remembers the status of an answer.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController flush.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
