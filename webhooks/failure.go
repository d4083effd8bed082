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
	text := strings.ToLower(strings.Trim(string(value), `"`))
	isZero := text == "false" || text != "" && strings.Trim(strings.TrimPrefix(text, "0x"), "0") == ""
	isNothing := isZero || text == "" || text == "null" || text == "{}" || text == "[]"
	switch {
	case slices.Contains(failures, name):
		return !isNothing
	case slices.Contains(successes, name):
		return isZero
	case slices.Contains(statuses, name):
		return isZero || value[0] != '{' && isFailure.MatchString(text)
	}
	return name == "logmessages" && isFailureLog.Match(value)
}

// failedIn returns the value of the first member that says so in a record, nil if there is none.
func failedIn(record []byte) (sign walletfi.Document) {
	_, _ = jsontext.Members(record, 0, func(from, to, at int) (int, error) {
		name, end := string(jsontext.Unquote(record[from:to])), jsontext.ValueEnd(record, at)
		name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
		switch value := record[at:end]; {
		case sign != nil:
		case saysFailed(name, value):
			sign = value
		case value[0] == '{' && slices.Contains(containers, name):
			sign = failedIn(value)
		}
		return end, nil
	})
	return sign
}
