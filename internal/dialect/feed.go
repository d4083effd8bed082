package dialect

import (
	"errors"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Tell is a message that the client sends on the feed of o, in live words and shape. The
// error is a walletfi.ValidationError: a step does not fit.
func (o *Operation) Tell(message []byte) ([]byte, error) {
	text, err := o.ToLive(message)
	if err != nil || o == nil {
		return text, err
	}
	out, misfit, ok := shaped(text, o.body)
	if !ok {
		return nil, problem(indexed(o.field+".body", misfit), "finds nothing to work on in a message of the feed")
	}
	return out, nil
}

var errMisfit = errors.New("a step of the deployment finds nothing to work on in the message")

// Told is a message of the feed of o in the documentation's words and shape. The message is
// o's own, or one of a type that has words of its own. The error says that a step does not
// fit, or that a number would have to be rounded; the rest is translated all the same.
func (o *Operation) Told(message []byte) ([]byte, error) {
	if o == nil {
		return message, nil
	}
	of := o.message(message)
	text, _, ok := shaped(message, of.answer)
	neutral, err := of.ToNeutral(text)
	if !ok {
		err = errMisfit
	}
	return neutral, err
}

// message returns the rules of a message by its type.
func (o *Operation) message(message []byte) *Operation {
	if len(o.messages) == 0 || !isJSON(message) {
		return o
	}
	whole, _ := path(nil).find(message)
	object := message[whole.from:whole.to]
	kind := member(object, o.Key("type"))
	if kind.times != 1 {
		return o
	}
	name := string(jsontext.Unquote(object[kind.value.from:kind.value.to]))
	if w, ok := o.in.values["type"][name]; ok {
		name = w.text
	}
	if own := o.messages[name]; own != nil {
		return own
	}
	return o
}

// addMessages gives each operation the messages that are named after it, as
// "GET /ws trade" is after "GET /ws".
func (s *Service) addMessages() {
	for route, message := range s.operations {
		method, rest, _ := strings.Cut(route, " ")
		path, name, named := strings.Cut(rest, " ")
		if !named {
			continue
		}
		feed := s.Operation(method, path)
		if feed.messages == nil {
			feed.messages = map[string]*Operation{}
		}
		feed.messages[name] = message
	}
}
