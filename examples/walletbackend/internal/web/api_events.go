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
	messages, stop := s.Live.listen(v.user.ID)
	defer stop()
	w.Header().Set("Content-Type", "text/event-stream")
	stream := http.NewResponseController(w)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	fmt.Fprint(w, "retry: 500\n: begun\n\n")
	for {
		if err := stream.Flush(); err != nil {
			return nil // the browser has left
		}
		select {
		case m := <-messages:
			data, err := json.Marshal(m.Data)
			if err != nil {
				s.Log.Error("an event cannot be sent", "error", err)
				continue
			}
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", m.Event, data)
		case <-beat.C:
			fmt.Fprint(w, ": still here\n\n")
		case <-v.ctx().Done():
			return nil
		}
	}
}
