package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// heartbeat keeps proxies from closing a stream on which nothing happens.
const heartbeat = 15 * time.Second

// apiEvents streams what happens to the user's payments and wallets, as
// server-sent events.
func (s *Server) apiEvents(w http.ResponseWriter, v *visit) error {
	messages, stop, ok := s.Live.listen(v.user.ID)
	if !ok {
		return errTooMany
	}
	defer stop()
	w.Header().Set("Content-Type", "text/event-stream")
	stream := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	fmt.Fprint(w, "retry: 500\n: begun\n\n")
	for {
		if err := stream.Flush(); err != nil {
			return nil // the browser has left, or reads nothing
		}
		select {
		case m := <-messages:
			data, err := json.Marshal(m.Data)
			if err != nil {
				s.Log.Error("an event cannot be sent", "error", err)
				continue
			}
			s.patient(stream)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", m.Event, data)
		case <-beat.C:
			if err := s.identify(v); err != nil {
				return nil // signed out, or the session has ended
			}
			s.patient(stream)
			fmt.Fprint(w, ": still here\n\n")
		case <-v.ctx().Done():
			return nil
		}
	}
}

// patience is how long a stream waits for a browser that does not read.
const patience = 10 * time.Second

func (s *Server) patient(stream *http.ResponseController) {
	if err := stream.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		s.Log.Error("a stream has no deadline", "error", err)
	}
}
