package journaltest

import "testing/synctest"

func init() { inTime = synctest.Test }
