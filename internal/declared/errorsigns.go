package declared

import (
	"bytes"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// errorSigns tell an error envelope, such as {"error": "..."}, from an answer.
type errorSigns struct {
	Refused bool // success is false
	Suspect bool // there is a member success, status, error or errors
	exact   bool // success is written so
	failed  bool // there is an error, or a status of one
	message bool // there is a text that says why
	content bool // there is a member that no envelope of an error has
}

// IsError reports whether the body is an error rather than an answer.
func (e *errorSigns) IsError() bool { return e.failed || e.message && !e.content }

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
		e.Suspect = true
		e.success(name == "success", isNo(value))
		e.content = true
	case "error", "errors":
		e.Suspect = true
		e.failed = e.failed || !isNothing(value)
	case "message", "msg", "detail", "title":
		e.message = e.message || !isNothing(value)
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
		e.exact, e.Refused = true, no
	default:
		e.Refused = e.Refused || no
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

// isNothing reports a value that says nothing of an error.
func isNothing(value []byte) bool {
	switch string(value) {
	case "null", "false", "0", `""`, "{}", "[]":
		return true
	}
	return false
}
