package predictmeta

import "errors"

// errNotStored is what events with an error say to encoding/json, which would write
// the error as {}.
var errNotStored = errors.New("predictmeta: an event with an error is not stored: keep Err.Error() and the fields that you need")

// MarshalJSON refuses, since Err would be lost.
func (Disconnected) MarshalJSON() ([]byte, error) { return nil, errNotStored }

// MarshalJSON refuses, since Err would be lost.
func (RetryFailed) MarshalJSON() ([]byte, error) { return nil, errNotStored }

// MarshalJSON refuses, since Err would be lost. Book survives JSON by itself.
func (BookRefresh) MarshalJSON() ([]byte, error) { return nil, errNotStored }
