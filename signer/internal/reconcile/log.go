package reconcile

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Log has the messages of a signer's log, in order.
type Log struct {
	Messages []*Message

	owners  []taken
	byID    map[string]*Message
	byOwn   map[string]*Message
	clients map[string]bool
}

// Timed reports whether a signer knew the time of an entry: of its first ones it does not, as no node has
// told it yet.
func Timed(at time.Time) bool { return at.Year() > 1970 }

// taken is when a key came to the signer: by name, or in the text of a policy.
type taken struct {
	at   time.Time
	text string
}

// has is from when on the signer has had a key, zero if the log does not say.
func (l *Log) has(key string) time.Time {
	for _, t := range l.owners {
		if strings.Contains(t.text, key) {
			return t.at
		}
	}
	return time.Time{}
}

// Take takes in an entry as the command log has it. They come in order, from the first.
func (l *Log) Take(text json.RawMessage) error {
	var e struct {
		Seq          int64
		At           time.Time
		Kind, Client string
		Body         json.RawMessage
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	if l.byID == nil {
		l.byID, l.byOwn, l.clients = map[string]*Message{}, map[string]*Message{}, map[string]bool{}
	}
	for i := range l.owners {
		if t := &l.owners[i]; Timed(e.At) && !Timed(t.at) {
			t.at = e.At
		}
	}
	var body struct {
		Owner                string
		Messages             []struct{ ID string }
		ID, State, Key, Text string
	}
	var err error
	switch e.Kind {
	case "sign":
		err = json.Unmarshal(e.Body, &body)
		for _, m := range body.Messages {
			if l.byID[m.ID] == nil {
				l.byID[m.ID] = &Message{ID: m.ID, Client: e.Client, Owner: body.Owner, At: e.At}
				l.Messages = append(l.Messages, l.byID[m.ID])
			}
		}
		l.clients[e.Client] = true
	case "signature":
		var made map[string]string
		err = json.Unmarshal(e.Body, &made)
		for id, signature := range made {
			if m := l.byID[id]; m != nil {
				m.Signature = signature
				l.byOwn[signature] = m
			}
		}
	case "owner", "policy":
		err = json.Unmarshal(e.Body, &body)
		l.owners = append(l.owners, taken{e.At, body.Key + body.Text})
	case "end":
		err = json.Unmarshal(e.Body, &body)
		if m := l.byID[body.ID]; m != nil {
			m.State = body.State
		}
	}
	if err != nil {
		return fmt.Errorf("entry %d of the log: %w", e.Seq, err)
	}
	return nil
}

// bySignature is the message that has one of the signatures as its owner's.
func (l *Log) bySignature(any ...string) *Message {
	for _, signature := range any {
		if m := l.byOwn[signature]; m != nil {
			return m
		}
	}
	return nil
}
