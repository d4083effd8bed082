package signing

import (
	"encoding/json"
	"fmt"
)

// ReportVersion is the version of the report's JSON form. Members may be added
// to a version, and none is changed or removed.
const ReportVersion = 1

// reportJSON is the JSON form: the report, its version, and its digests.
type reportJSON struct {
	Version  int    `json:"version"`
	Digest   string `json:"digest,omitempty"`
	Messages string `json:"messages,omitempty"`
	*plainReport
}

type plainReport Report

// MarshalJSON writes the report with its version and its digest.
func (r Report) MarshalJSON() ([]byte, error) {
	return json.Marshal(reportJSON{ReportVersion, r.Digest(), r.MessagesDigest(), (*plainReport)(&r)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Another version is an error.
func (r *Report) UnmarshalJSON(b []byte) error {
	read := reportJSON{plainReport: new(plainReport)}
	if err := json.Unmarshal(b, &read); err != nil {
		return err
	}
	if read.Version != ReportVersion {
		return fmt.Errorf("signing: a report of version %d, not %d", read.Version, ReportVersion)
	}
	*r = Report(*read.plainReport)
	r.digest, r.messages = read.Digest, read.Messages
	return nil
}
