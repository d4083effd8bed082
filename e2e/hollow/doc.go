// Package hollow tests what every call makes of an answer that says less than is due, or
// something else: members that are missing, null, twice or of another form, records that
// cannot be read, and answers to another request.
package hollow
