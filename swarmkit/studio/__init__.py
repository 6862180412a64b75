"""The studio: a local web application in which runs are started, watched and stopped, and files opened.

`swarmkit studio` serves it. The pages stand behind `swarmkit.serving.Guard`; runs are made one after the other by a
process of their own; files are those named on the command line and uploads, and a request names them by their number.
"""
