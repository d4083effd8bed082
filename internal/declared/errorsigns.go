package declared

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// errorSigns tell an error envelope, such as {"error": "..."}, from an answer.
type errorSigns struct {
	Suspect bool // there is a member status, of which a service may have its own form
	refused bool // success is false
	exact   bool // success is written so
	err     bool // error says something
	errors  bool // errors does
	failed  bool // the status is that of an error
	message bool // there is a text that says why
	denied  bool // and one that does not say that it is done
	content bool // there is a member that no envelope of an error has
	result  bool // there is a member of Answer.Beside
}

// No reports whether the body says that the service did not do what was asked,
// whatever else it has: success is false, or there is an error, or there are errors. What is
// null, false, 0 or empty says nothing, and neither does one inside of another member.
func (r *Reading) No() bool {
	return r.refused || r.err && !r.owns("error") || r.errors && !r.owns("errors")
}

// IsError reports whether a body that lacks what was declared is an error rather than
// an answer.
func (r *Reading) IsError() bool {
	isMessage := r.denied || r.message && r.answer.Form != FormSilent
	return r.failed || r.errors && !r.owns("errors") || isMessage && !r.content
}

var (
	doneWords = regexp.MustCompile(`(?i)\b(ok|okay|success\w*|succeeded|done|accepted|sent|queued|saved|changed|` +
		`created|deleted|removed|updated)\b`)
	undoneWords = regexp.MustCompile(`(?i)\b(no|not|never|cannot|false|\w+n't|un\w+|in\w+|` +
		`denied|refused|fail\w*|errors?)\b`)
)

// Affirms reports whether a text that is no JSON says that what was asked is done, such as OK or
// "Webhook updated".
func Affirms(text []byte) bool {
	isText := len(text) > 0 && 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z'
	return isText && doneWords.Match(text) && !undoneWords.Match(text)
}

// owns reports whether a sign is a member of the result.
func (r *Reading) owns(sign string) bool { return r.result && r.answer.sign == sign }

// SaysNo is [Reading.No] of a body that is an envelope of the result.
func SaysNo(envelope []byte) bool {
	var r Reading
	r.Begin(envelope, &Answer{})
	return wire.Walk(envelope, &r) == nil && r.No()
}

// telling are the letters with which the names begin that sign knows.
const telling = 1<<('s'-'a') | 1<<('e'-'a') | 1<<('m'-'a') | 1<<('d'-'a') | 1<<('t'-'a') | 1<<('c'-'a') |
	1<<('r'-'a') | 1<<('p'-'a')

// sign notes what one member of the body tells.
func (e *errorSigns) sign(name string, value []byte) {
	if name == "" || telling>>(name[0]|0x20-'a')&1 == 0 {
		e.content = true
		return
	}
	var room [16]byte // for the longest of the names below
	switch string(lower(room[:0], name)) {
	case "success":
		e.success(name == "success", isNo(value))
		e.content = true
	case "error":
		e.err = e.err || !isNothing(value)
	case "errors":
		e.errors = e.errors || !isNothing(value)
	case "message", "msg", "detail", "title":
		e.message = e.message || !isNothing(value)
		e.denied = e.denied || !isNothing(value) && !Affirms(bytes.Trim(value, `"`))
	case "status":
		e.Suspect = true
		e.status(value)
	case "code", "statuscode", "status_code", "type", "details", "timestamp", "path",
		"requestid", "request_id", "traceid", "trace_id":
	default:
		e.content = true
	}
}

// success notes a success. A name that is written so wins over one in another case;
// of two that are written alike, the one that says no.
func (e *errorSigns) success(exact, no bool) {
	switch {
	case e.exact && !exact:
	case exact && !e.exact:
		e.exact, e.refused = true, no
	default:
		e.refused = e.refused || no
	}
}

// lower appends name in lower case, and nothing if that does not fit.
func lower(into []byte, name string) []byte {
	if len(name) > cap(into) {
		return into
	}
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		into = append(into, c)
	}
	return into
}

// status reads a status, which is the number of an HTTP status or a word.
func (e *errorSigns) status(value []byte) {
	switch word := strings.ToLower(string(bytes.Trim(value, `"`))); {
	case word == "error", word == "fail",
		len(word) == 3 && (word[0] == '4' || word[0] == '5') && jsontext.IsNumber([]byte(word)):
		e.failed = true
	default:
		e.content = true
	}
}

// isNo reports a bool that is false, in any form in which one comes.
func isNo(value []byte) bool {
	switch string(bytes.Trim(value, `"`)) {
	case "false", "0":
		return true
	}
	return false
}

// isResult reports a value that a result has: a list may be empty, a flag false.
func isResult(value []byte) bool {
	switch string(value) {
	case "null", `""`, "{}":
		return false
	}
	return true
}

// isNothing reports a value that says nothing of an error.
func isNothing(value []byte) bool {
	switch string(value) {
	case "null", "false", "0", `""`, "{}", "[]":
		return true
	}
	return value[0] == '[' && len(bytes.TrimSpace(value[1:len(value)-1])) == 0
}
