package dialect

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// addMessage notes the words of the feed's messages that the file names, as "GET /ws trade".
func (d *dialect) addMessage(name string) error {
	file := d.file.Operations[name]
	w, err := newWords(d.file.Words, file.Words)
	if err != nil {
		return err
	}
	kind := strings.TrimSpace(strings.TrimPrefix(name, "GET "+d.spec.Feed.Path))
	d.feed[kind] = &operation{words: w, body: file.Body, answer: file.Answer}
	return nil
}

// messages has the words of what is said under a documented type.
func (d *dialect) messages(kind string) *operation {
	for _, name := range []string{kind, ""} {
		if o := d.feed[name]; o != nil {
			return o
		}
	}
	return &operation{words: d.words}
}

// Told implements kit.Dialect.
func (d *dialect) Told(message []byte) ([]byte, []string) {
	o := d.messages("")
	documented, err := undo(o.body, message, nil, true)
	if err != nil {
		return message, []string{fmt.Sprintf("the message does not have the deployment's shape: %v", err)}
	}
	t := translation{words: o.words, hearing: true}
	return t.value("", documented), t.problems
}

// Tell implements kit.Dialect.
func (d *dialect) Tell(message []byte) []byte {
	if !json.Valid(message) {
		return message
	}
	kind := ""
	if text, err := get(message, []string{"type"}); err == nil && is(text, '"') {
		kind = unquote(text)
	}
	o := d.messages(kind)
	live := o.tell(message)
	if shaped, err := undo(o.answer, live, nil, false); err == nil {
		return shaped
	}
	return live
}

// unnamed undoes the names of a step: it makes an object, or an array of two.
func unnamed(names []string, v []byte) ([]byte, error) {
	if is(v, '{') {
		first, err := get(v, names[:1])
		if err != nil {
			return nil, err
		}
		second, err := get(v, names[1:])
		return fmt.Appendf(nil, "[%s,%s]", first, second), err
	}
	if !is(v, '[') {
		return nil, fmt.Errorf("it is no array")
	}
	var members []string
	for _, p := range parts(v) {
		name, err := get(p.value, names[:1])
		if err != nil {
			return nil, err
		}
		value, err := get(p.value, names[1:])
		if err != nil {
			return nil, err
		}
		if !is(name, '"') {
			name = quote(string(name))
		}
		members = append(members, string(name)+":"+string(value))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// fromOne is 1 less a number from 0 to 1, by its digits.
func fromOne(v []byte) ([]byte, error) {
	text, quoted, ok := digitsOf(v)
	text, isNumber := shift(text, 0)
	whole, fraction, _ := strings.Cut(text, ".")
	switch {
	case !ok || !isNumber || whole != "0" && (whole != "1" || fraction != ""):
		return nil, fmt.Errorf("it is no number from 0 to 1")
	case whole == "1":
		text = "0"
	case fraction == "":
		text = "1"
	default:
		digits, borrow := []byte(fraction), byte(10)
		for i := len(digits) - 1; i >= 0; i-- { // the last digit is not 0
			digits[i] = '0' + borrow - (digits[i] - '0')
			borrow = 9
		}
		text = "0." + string(digits)
	}
	if quoted {
		return quote(text), nil
	}
	return []byte(text), nil
}

// madeOf undoes a step that changes a value in its place.
func madeOf(step deployment.Step, v []byte) ([]byte, error) {
	if step.Complement {
		return fromOne(v)
	}
	return unnamed(step.Names, v)
}
