package walletfi

import "fmt"

// UnreadError is a list of which some records could not be read. The list that is
// returned with it holds the others, in the service's order. An iterator yields
// each of the records as a [*RecordError], in its place, and goes on.
type UnreadError struct {
	Records []*RecordError // in the order of the answer; at least one
}

// Error says how many records there are, and what is wrong with the first.
func (e *UnreadError) Error() string {
	if len(e.Records) == 1 {
		return e.Records[0].Error()
	}
	return fmt.Sprintf("%d records could not be read: %v", len(e.Records), e.Records[0])
}

// Unwrap returns ErrDecode and the records.
func (e *UnreadError) Unwrap() []error {
	all := []error{ErrDecode}
	for _, record := range e.Records {
		all = append(all, record)
	}
	return all
}

// RecordError is a record that could not be read: an element of a list, or a
// message of a feed.
type RecordError struct {
	// List is the member of the answer that holds the list, such as
	// "positions". It is empty if the answer itself is the list, and for a feed.
	List  string
	Index int      // in the list of this answer, from 0; 0 for a feed
	Raw   Document // the record as it came; not in Error()
	Err   error    // what is wrong with it
}

// Error names the place and says what is wrong there.
func (e *RecordError) Error() string {
	return fmt.Sprintf("record %s[%d] could not be read: %v", e.List, e.Index, e.Err)
}

// Unwrap returns ErrDecode and the reason.
func (e *RecordError) Unwrap() []error { return present(ErrDecode, e.Err) }
