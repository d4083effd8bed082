package webhooks

import (
	"regexp"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// What is wrong with a member that says of a transaction what others contradict.
const (
	contradicted wire.Fault = "contradicted"
	aFailure     wire.Fault = "a failure"
	undone       wire.Fault = "true" // of EVMLog.removed
)

// The members under which nodes and services tell whether a transaction failed, or was undone,
// besides the documented one. They are in lower case and without underscores.
var (
	failures = []string{
		"err", "error", "errors", "errormessage", "haserror", "iserror", "transactionerror", "exception",
		"revertreason", "reverted", "failed", "isfailed", "failurereason", "removed", "orphaned", "dropped",
	}
	successes = []string{"success", "successful", "succeeded", "issuccess", "ok"}
	statuses  = []string{
		"status", "receiptstatus", "txreceiptstatus", "transactionstatus", "txstatus", "executionstatus",
	}
	// containers hold such members of their transaction.
	containers = []string{
		"meta", "transaction", "message", "receipt", "transactionreceipt", "result", "outcome", "executionresult", "status",
	}
)

var (
	isFailure = regexp.MustCompile(`(?i)fail|revert|error|\berr|reject|drop|removed|orphan|cancel|expired|invalid`)
	// isFailureLog matches a list of the ledger's logs with one that its runtime wrote of a failure.
	isFailureLog = regexp.MustCompile(`[\[,]\s*"Program [1-9A-HJ-NP-Za-km-z]+ failed: `)
)

// saysFailed reports whether a member of a transaction's record says that it failed or was undone.
// What the containers hold is told by [failedIn].
func saysFailed(name string, value []byte) bool {
	isFailed, isStatus := slices.Contains(failures, name), slices.Contains(statuses, name)
	if !isFailed && !isStatus && !slices.Contains(successes, name) {
		return name == "logmessages" && isFailureLog.Match(value)
	}
	text := strings.ToLower(strings.Trim(string(value), `"`))
	isZero := text == "false" || text != "" && strings.Trim(strings.TrimPrefix(text, "0x"), "0") == ""
	switch {
	case isFailed:
		return !isZero && text != "" && text != "null" && text != "{}" && text != "[]"
	case isStatus:
		return isZero || value[0] != '{' && isFailure.MatchString(text)
	}
	return isZero
}

// failedIn returns the value of the first member that says so in a record, nil if there is none.
func failedIn(record []byte) (sign walletfi.Document) {
	_, _ = jsontext.Members(record, 0, func(from, to, at int) (int, error) {
		end := jsontext.ValueEnd(record, at)
		if sign == nil {
			sign = signIn(string(jsontext.Unquote(record[from:to])), record[at:end])
		}
		return end, nil
	})
	return sign
}

// signIn returns the value of a member if that says so, or what in it does.
func signIn(name string, value []byte) (sign walletfi.Document) {
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	switch {
	case saysFailed(name, value):
		return value
	case value[0] == '{' && slices.Contains(containers, name):
		return failedIn(value)
	}
	return nil
}
